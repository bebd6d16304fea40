import type { Command } from 'commander';
import type { TokensFlags } from './commands/tokens.ts';
import { collect, examples, withVerbose } from './help.ts';

export function addTokens(program: Command, exit: (code: number) => void): void {
  withVerbose(program.command('tokens'))
    .summary('count the tokens of prompt and tools')
    .description(
      'Counts the tokens of the first request of a task, by the service: the task, the system prompt, and what the tools add, ' +
        'the text that the service puts in front of them included. They are sent with each request. Counting is free.',
    )
    .argument('[task...]', 'what would be to be done; "-" reads it from standard input')
    .option('-C, --cd <folder>', 'folder to work in')
    .option('--agent <file>', 'agent file: Markdown with settings in front')
    .option('--system-prompt <text>', 'replace the system prompt')
    .option('--append-system-prompt <text>', 'add to the system prompt')
    .option('--tools <names>', 'only these tools, separated by commas')
    .option('-m, --model <id>', 'model (else ANTHROPIC_MODEL, MODEL_ID, a default)')
    .option('--effort <level>', 'low, medium, high, xhigh or max')
    .option('--betas <names>', 'values for the anthropic-beta header, separated by commas')
    .option('--header <line>', 'a further header, "name: value" (repeatable)', collect)
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      examples(['pawl tokens "Why does the build fail?"'], ['pawl tokens --tools read_file,bash --json']),
    )
    .action(async (words: string[], flags: TokensFlags) => {
      const { tokensCommand } = await import('./commands/tokens.ts');
      exit(await tokensCommand(words, flags));
    });
}
