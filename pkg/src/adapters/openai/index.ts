/** The adapter for OpenAI's APIs: each as a model for `runTools`. */

export { type ChatOptions, type ChatParams, type ChatReply, chatModel } from "./chat.js";
export { type ResponsesOptions, type ResponsesParams, type ResponsesReply, responsesModel } from "./responses.js";
export { type OpenAISift, toolsift } from "./toolsift.js";
