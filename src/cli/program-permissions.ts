import type { Command } from 'commander';
import type { PermissionsFlags } from './commands/permissions.ts';
import { examples, withVerbose } from './help.ts';
import { addRuleOptions } from './program-run.ts';

/** What may run, told without running anything. */
export function addPermissions(program: Command, exit: (code: number) => void): void {
  const permissions = program
    .command('permissions')
    .summary('tell what would run, ask or be denied')
    .description('Tells which calls would run, ask or be denied. Nothing is run.');
  addCheck(permissions, exit);
  addList(permissions, exit);
}

function addCheck(permissions: Command, exit: (code: number) => void): void {
  const command = withFolder(permissions.command('check'))
    .description(
      'Explains what would become of a call: each part of it, what decides about it, and where that is written.',
    )
    .argument('<tool>', 'name of a tool')
    .argument('[input]', 'its input as JSON', '{}');
  addRuleOptions(command);
  command
    .addHelpText(
      'after',
      examples(
        ['pawl permissions check bash \'{"command": "git status && rm -rf build"}\''],
        ['pawl permissions check --deny "read_file(secrets/**)" read_file \'{"path": "secrets/a"}\''],
      ),
    )
    .action(async (tool: string, input: string, flags: PermissionsFlags) => {
      const { checkCommand } = await import('./commands/permissions.ts');
      exit(await checkCommand(tool, input, flags));
    });
}

function addList(permissions: Command, exit: (code: number) => void): void {
  const command = withFolder(permissions.command('list')).description(
    'Lists the rules that hold for a run in this folder, and where each is written.',
  );
  addRuleOptions(command);
  command
    .addHelpText('after', examples(['pawl permissions list'], ['pawl permissions list --json']))
    .action(async (flags: PermissionsFlags) => {
      const { listCommand } = await import('./commands/permissions.ts');
      exit(await listCommand(flags));
    });
}

const withFolder = (command: Command): Command =>
  withVerbose(command)
    .option('-C, --cd <folder>', 'folder that the tools work in')
    .option('--agent <file>', 'agent file: Markdown with settings in front')
    .option('--yes', 'as with pawl run --yes')
    .option('--json', 'as one JSON document');
