/**
 * Goes through what the parser makes of a command line and collects its parts: each simple command wherever it stands, and
 * each redirection. Whatever may run something and is not understood becomes an unknown part; nothing is left out.
 */
import type { Command, Redirect, SyntaxNode } from 'unbash';
import { UNKNOWN } from '../wildcard.ts';
import { innerOf } from './inner.ts';
import { type Inner, type Part, shown, shownWords, unknown, type Word } from './part.ts';
import { remarksOn } from './syntax.ts';
import { setByVariable } from './variables.ts';
import { argumentOf, isOwnVariable, wordOf } from './word.ts';

export type Parser = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/** Far beyond what anybody writes; what is longer or deeper asks. They bound the time of an analysis. */
const LONGEST_COMMAND = 100_000;
const MOST_NODES = 10_000;
const DEEPEST = 150;
/** A command in a command counts more than a node in a node: all of its words are looked at again. */
const PER_COMMAND = 5;
/** Of these the parser's time grows with the square. */
const MOST_HERE_DOCUMENTS = 200;

const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);

/** Where a piece stands: in which text, how deep, and whether it is surely bash that reads it. */
interface Around {
  readonly source: string;
  readonly depth: number;
  readonly isBash: boolean;
}

export class Walk {
  readonly parts: Part[] = [];
  readonly #parser: Parser;
  #nodes = 0;
  /** Characters, with those of the texts that a text runs. */
  #read = 0;
  #isOver = false;
  /** Whether what is being looked at is covered by what starts it. */
  #isCovered = false;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  script(source: string, isBash = true, depth = 0): void {
    this.#read += source.length;
    if (this.#read > LONGEST_COMMAND) this.#giveUp(source, `it is longer than ${LONGEST_COMMAND} characters`);
    else if (source.includes('\0')) this.#giveUp(source, 'it contains a NUL character');
    else if (source.split('<<').length > MOST_HERE_DOCUMENTS) this.#giveUp(source, 'it has too many <<');
    else this.#parsed(source, isBash, depth);
  }

  #parsed(source: string, isBash: boolean, depth: number): void {
    try {
      this.#visit(this.#parser.parse(source), { source, isBash, depth });
    } catch {
      // A text that is made to exhaust the parser does so in one way or another.
      this.#giveUp(source, 'the parser cannot read it');
    }
  }

  #giveUp(text: string, why: string): void {
    if (!this.#isOver) this.parts.push(unknown(text, why));
    this.#isOver = true;
  }

  #add(part: Part): void {
    this.parts.push(this.#isCovered ? { ...part, isCovered: true } : part);
  }

  #visit(node: SyntaxNode, { source: outer, depth, isBash }: Around): void {
    if (this.#isOver) return;
    this.#nodes += 1;
    const source = (node.type === 'Script' && node.source) || outer;
    const text = source.slice(node.pos, node.end);
    const [error] = (node.type === 'Script' && node.errors) || [];
    if (error) this.#giveUp(text, `it is no complete shell command (${error.message})`);
    else if (this.#nodes > MOST_NODES) this.#giveUp(text, 'it has too many parts');
    else if (depth > DEEPEST) this.#giveUp(text, 'its parts stand too deep in each other');
    else {
      const around = { source, depth: depth + 1, isBash };
      this.#look(node, text, around);
      this.#parser.forEachChild(node, (child) => this.#visit(child, around));
    }
  }

  #look(node: SyntaxNode, text: string, around: Around): void {
    if (node.type === 'Command') this.#command(node, text, around.depth);
    if (node.type === 'Redirect') this.#redirection(node, text);
    for (const remark of remarksOn(node, around.isBash)) {
      if ('sets' in remark) this.#assigned(remark.sets, `${remark.sets}=…`, around.depth);
      else if ('hides' in remark) this.#add(unknown(text, remark.hides));
      else this.#add({ is: 'evaluation', text: shown(text), why: remark.evaluates });
    }
  }

  #command({ name, prefix, args }: Command, text: string, depth: number): void {
    for (const one of prefix) {
      if (one.type !== 'Assignment') continue;
      // In front of a command it becomes part of its environment, where every variable counts.
      if (name === undefined) this.#assigned(one.name, argumentOf(one), depth);
      else this.#variable(argumentOf(one), text, depth);
    }
    if (name !== undefined) this.#words([wordOf(name), ...args.map(argumentOf)], text, depth);
  }

  #assigned(name: string, word: Word, depth: number): void {
    if (!isOwnVariable(name)) this.#variable(word, `${name}=…`, depth);
  }

  /** Judged like a command of one word, so that a rule can be about it: bash(CI=*). */
  #variable(word: Word, text: string, depth: number): void {
    if (word === UNKNOWN) this.#add(unknown(text, 'it sets a variable that bash may run'));
    else {
      const inner = setByVariable(word);
      if (inner.every(({ is }) => is !== 'unknown'))
        this.#add({ is: 'command', text: shown(word), words: [word] });
      this.#inner(inner, text, depth);
    }
  }

  /** A simple command, and what it starts in turn. */
  #words(words: readonly Word[], text: string, depth: number): void {
    const [name] = words;
    if (name === UNKNOWN || name === undefined || name.startsWith('-')) {
      this.#add(unknown(text, 'it is not known before which program this is'));
      return;
    }
    this.#add({ is: 'command', text: shown(text), words });
    this.#inner(innerOf(programOf(name), words.slice(1)), text, depth);
  }

  #inner(found: readonly Inner[], text: string, depth: number): void {
    const isCovered = this.#isCovered;
    for (const inner of found) {
      this.#isCovered = isCovered || inner.isCovered === true;
      if (depth > DEEPEST) this.#giveUp(text, 'its parts stand too deep in each other');
      else if (inner.is === 'words') this.#words(inner.words, shownWords(inner.words), depth + PER_COMMAND);
      else if (inner.is === 'script') this.script(inner.text, inner.isBash, depth + PER_COMMAND);
      else this.#add({ ...inner, text: shown(text) });
    }
    this.#isCovered = isCovered;
  }

  #redirection({ operator, target }: Redirect, text: string): void {
    const path = target?.text.startsWith('~') ? UNKNOWN : wordOf(target);
    const isCopy = operator.endsWith('&') && path !== UNKNOWN && /^[0-9]*-?$/.test(path);
    if (isCopy || (path !== UNKNOWN && HARMLESS.has(path))) return;
    this.#add({ is: operator === '<' ? 'read' : 'write', text: shown(text), path });
  }
}

/** Without its folders, and in small letters: some systems find a program by either. */
const programOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase();
