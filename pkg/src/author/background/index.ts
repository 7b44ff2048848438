/** Writes words for tools while a program runs. It is loaded where a host asks for it, and is no entry of the package. */

export { Background } from "./background.js";
