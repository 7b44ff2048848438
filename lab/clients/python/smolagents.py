from smolagents import OpenAIModel, Tool, ToolCallingAgent


def play(base_url, wire, tools, execute, system, prompt, stream):
    def tool(name, description, inputSchema, **_):
        required = inputSchema.get("required", [])

        class Named(Tool):
            output_type = "string"
            skip_forward_signature_validation = True

            def forward(self, **args):
                return execute(name, args)

        # Names are identifiers of Python.
        Named.name, Named.description = name.replace("-", "_"), description
        Named.inputs = {
            key: {"type": "any", "description": "", **schema, **({} if key in required else {"nullable": True})}
            for key, schema in inputSchema.get("properties", {}).items()
        }
        return Named()

    model = OpenAIModel("gpt-5.2", api_base=base_url + "/v1", api_key="none")
    agent = ToolCallingAgent([tool(**t) for t in tools], model, instructions=system, stream_outputs=stream, verbosity_level=0)
    return agent.run(prompt)
