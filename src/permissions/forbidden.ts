/**
 * Whether a command is one that a rule forbids. Such a rule names a program, operands and options: operands as they follow each
 * other, whatever options stand between them; options wherever they stand. Which words are operands may depend on options
 * that nobody knows here, and then it may be.
 */
import { type Operand, operandsIn } from './shell/global-options.ts';
import { fitsText, type Items, MANY, type Match, matchItems, type Pattern, UNKNOWN } from './wildcard.ts';

/** @param wanted and words: all that stands behind the program */
export function matchForbidden(program: string, wanted: Pattern, words: Items): Match {
  const isOption = (word: Pattern[number]): word is string => typeof word === 'string' && /^-./.test(word);
  const found = [
    matchItems(wanted, words, fitsText),
    weakest([
      ...wanted.filter(isOption).map((option) => matchOption(option, words)),
      matchOperands(
        program,
        wanted.filter((word) => !isOption(word)),
        words,
      ),
    ]),
  ];
  return (['yes', 'maybe'] as const).find((match) => found.includes(match)) ?? 'no';
}

const weakest = (matches: readonly Match[]): Match =>
  (['no', 'maybe'] as const).find((match) => matches.includes(match)) ?? 'yes';

/** --force is also --force=yes and may be --forc; -rf is also -r -f and -fr. */
function matchOption(option: string, words: Items): Match {
  const known = words.filter((word) => word !== UNKNOWN);
  if (known.some((word) => fitsText(option, word) || word.startsWith(`${option}=`))) return 'yes';
  if (/^-[a-zA-Z]{1,3}$/.test(option)) {
    const letters = known.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('');
    if ([...option].every((letter) => letters.includes(letter))) return 'yes';
  }
  const isCut = known.some((word) => /^--./.test(word) && option.startsWith(word));
  return isCut || words.includes(UNKNOWN) ? 'maybe' : 'no';
}

/** Programs whose operands are of equal rank: make all deploy. */
const OF_TARGETS = new Set(
  'make gmake ninja just task rake gradle gradlew mvn mvnw invoke tox nox'.split(' '),
);

function matchOperands(program: string, pattern: Pattern, words: Items): Match {
  const operands = operandsIn(program, words);
  const wanted: Pattern = OF_TARGETS.has(program) ? [MANY, ...pattern] : pattern;
  const surely = (isIn: (operand: Operand) => boolean) =>
    matchItems(
      wanted,
      operands.filter(isIn).map(({ word }) => word),
      fitsText,
    );
  const readings = [surely(({ isSure }) => isSure), surely(() => true)];
  if (readings.every((match) => match === 'yes')) return 'yes';
  return mayFit(wanted, operands) ? 'maybe' : 'no';
}

/** Each word that is perhaps no operand counts or not, as it suits the pattern. */
function mayFit(pattern: Pattern, operands: readonly Operand[]): boolean {
  // Places in the pattern that may be reached with the operands so far.
  let reached = new Set([0]);
  const widen = (places: Set<number>): Set<number> => {
    for (const place of places) if (pattern[place] === MANY) places.add(place + 1);
    return places;
  };
  widen(reached);
  for (const { word, isSure } of operands) {
    const next = new Set<number>(isSure && word !== UNKNOWN ? [] : reached);
    for (const place of reached) {
      const wanted = pattern[place];
      if (wanted === MANY) next.add(place);
      else if (wanted !== undefined && word !== UNKNOWN && fitsText(wanted, word)) next.add(place + 1);
      // What is unknown may be any number of words.
      if (word === UNKNOWN) for (let later = place; later <= pattern.length; later += 1) next.add(later);
    }
    reached = widen(next);
  }
  return reached.has(pattern.length);
}
