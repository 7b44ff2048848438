/** `toolsift completion`: a script with which a shell completes commands and options. */

import { Argument, Command } from "commander";
import { completionScript, type Shell, SHELLS } from "../completion.js";

export function completionCommand(): Command {
  const command = new Command("completion").addArgument(new Argument("<shell>", "the shell").choices(SHELLS));
  return command
    .description("print a script that completes commands and options in a shell")
    .addHelpText(
      "after",
      `
Examples:
  $ toolsift completion bash > ~/.local/share/bash-completion/completions/toolsift
  $ toolsift completion zsh > "\${fpath[1]}/_toolsift"
  $ toolsift completion fish > ~/.config/fish/completions/toolsift.fish`,
    )
    .action((shell: Shell) => void process.stdout.write(completionScript(shell, command.parent!)));
}
