/** Shell text made of smaller shell text, in the ways that the shell itself has. */
import fc from 'fast-check';

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const doubleQuoted = (text: string): string => `"${text.replace(/["`$\\]/g, '\\$&')}"`;
const inBackticks = (text: string): string => text.replace(/[`\\$]/g, '\\$&');

/** Each may run the text, which must not end in a comment. What is made is always complete. */
export const AROUND: readonly ((text: string) => string)[] = [
  (text) => `ls && ${text}`,
  (text) => `${text} && ls`,
  (text) => `ls || ${text}`,
  (text) => `ls; ${text}`,
  (text) => `${text}; ls`,
  (text) => `ls | { ${text}\n}`,
  (text) => `{ ${text}\n} |& ls`,
  (text) => `ls & ${text}`,
  (text) => `${text} &\nls`,
  (text) => `ls\n${text}\nls`,
  (text) => `# ls\n${text}`,
  (text) => `( ${text})`,
  (text) => `{ ${text}\n}`,
  (text) => `! { ${text}\n}`,
  (text) => `time { ${text}\n}`,
  (text) => `coproc { ${text}\n}`,
  (text) => `if ${text}\nthen ls; fi`,
  (text) => `if ls; then ${text}\nelse ls; fi`,
  (text) => `while ${text}\ndo ls; done`,
  (text) => `for i in 1 2; do ${text}\ndone`,
  (text) => `case a in a) ${text}\n;; esac`,
  (text) => `f() { ${text}\n}; f`,
  (text) => `function f { ${text}\n}`,
  (text) => `echo "$( ${text})"`,
  (text) => `echo $(ls; ${text})`,
  (text) => `echo \`${inBackticks(text)}\``,
  (text) => `x=$( ${text})`,
  (text) => `x=(a "$( ${text})")`,
  (text) => `echo \${x:-$( ${text})}`,
  (text) => `echo $((1 + $( ${text})))`,
  (text) => `[[ -n $( ${text}) ]]`,
  (text) => `ls <(${text})`,
  (text) => `ls > >(${text})`,
  (text) => `echo <<< "$( ${text})"`,
  (text) => `{ echo <<END${text.length}\n$( ${text})\nEND${text.length}\n}`,
  (text) => `{ ${text}\n} > /dev/null 2>&1`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `bash -c ${doubleQuoted(text)}`,
  (text) => `sh -ec ${quoted(text)}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `env A=b timeout 5 bash -c ${quoted(text)}`,
  (text) => `sudo -u root nohup sh -c ${quoted(text)}`,
  (text) => `ls | xargs -n1 bash -c ${quoted(text)}`,
  (text) => `find . -exec bash -c ${quoted(text)} \\;`,
  (text) => `trap ${quoted(text)} EXIT`,
];

/** A command in front of which something stands: only one simple command can follow. */
const BEFORE = [
  ...[
    'sudo',
    'nohup',
    'command',
    'exec',
    'env',
    'env -i A=b',
    'timeout 5',
    'nice -n 5',
    'xargs -0',
    'setsid',
  ],
  ...[
    '> /dev/null',
    '2>&1',
    'sudo -u root',
    'stdbuf -oL',
    'find . -exec',
    '\\time',
    'builtin command',
    'eval',
  ],
];

/** The same word, written otherwise. */
const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  (word) => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}'`,
  (word) => `/usr/bin/${word}`,
];

/** A call of a program, spelt and wrapped somehow. */
export const spelt = (program: string, words: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom('', 'A=b ', 'A=b B="$C" '),
      fc.array(fc.constantFrom(...BEFORE), { maxLength: 3 }),
    )
    .map(([spell, variables, before]) => variables + [...before, spell(program), words].join(' '));

export const surrounded = (inner: fc.Arbitrary<string>, most = 4): fc.Arbitrary<string> =>
  fc
    .tuple(inner, fc.array(fc.constantFrom(...AROUND), { maxLength: most }))
    .map(([text, around]) => around.reduce((made, wrap) => wrap(made), text));
