import { checkInput } from './check-input.ts';
import { cut, spell } from './names.ts';
import type { ToolRegistry } from './registry.ts';
import type { Tool } from './tool.ts';

/** The service allows 128 characters; what is longer was made up, and may be megabytes. */
const LONGEST_NAME = 100;

type Checked =
  | { readonly ok: true; readonly tool: Tool; readonly input: unknown }
  | { readonly ok: false; readonly reason: string };

/** Finds a tool and proves its input. Used when calls are reviewed, and again when they run: the tools may have changed. */
export class Toolbox {
  constructor(private readonly registry: ToolRegistry) {}

  find(name: string): Tool | undefined {
    return this.registry.get(name);
  }

  check(name: string, input: unknown): Checked {
    const tool = this.registry.get(name);
    if (tool === undefined) {
      const known = this.registry.names.join(', ') || 'none';
      return {
        ok: false,
        reason: `There is no tool named "${spell(cut(name, LONGEST_NAME))}". Available tools: ${known}.`,
      };
    }
    const checked = checkInput(tool, input);
    return checked.ok ? { ok: true, tool, input: checked.input } : checked;
  }
}
