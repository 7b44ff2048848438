from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


def play(base_url, wire, tools, execute, system, prompt, stream):
    def tool(name, inputSchema, description="", **_):
        run = lambda **args: execute(name, args)
        return StructuredTool.from_function(run, name=name, description=description or name, args_schema=inputSchema)

    functions = [tool(**t) for t in tools]
    model = ChatOpenAI(
        model="gpt-5.2", base_url=base_url + "/v1", api_key="none", use_responses_api=wire == "responses", streaming=stream
    ).bind_tools(functions)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke([("system", system), *state["messages"]])]})
    graph.add_node("tools", ToolNode(functions))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile().invoke({"messages": [("user", prompt)]})["messages"][-1].text
