/** The tools that are searched; put your own here, such as the `tools/list` of your servers. */

const tool = (name, description, ...parameters) => ({
  name,
  description,
  inputSchema: { type: "object", properties: Object.fromEntries(parameters.map((one) => [one, { type: "string" }])) },
});

export const TOOLS = {
  weather: [
    tool("get_forecast", "Returns the forecast for the next days: temperature, wind, precipitation.", "city", "days"),
    tool("get_air_quality", "Returns how much dust and ozone the air holds.", "city"),
  ],
  office: [
    tool("send_mail", "Sends a mail.", "to", "subject", "body"),
    tool("create_event", "Creates an event in the calendar.", "title", "start", "end"),
    tool("open_ticket", "Opens a ticket in the tracker.", "title", "priority"),
  ],
};
