/** Every client that the proxy is tested with. */

import { aiSdkChat, aiSdkResponses } from "./ai-sdk.mjs";
import { anthropic } from "./anthropic.mjs";
import { google } from "./google.mjs";
import { openaiChat } from "./openai-chat.mjs";
import { openaiResponses } from "./openai-responses.mjs";

export const CLIENTS = [openaiChat, openaiResponses, anthropic, google, aiSdkChat, aiSdkResponses];
