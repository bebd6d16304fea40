const LONGEST_TEXT = 400;

/** A text of unknown origin as one short readable line: no markup, no control characters, and none of the secrets. */
export function oneLine(text: string, secrets: readonly string[] = []): string {
  const start = text.slice(0, 20_000);
  const readable = (looksLikeHtml(start) ? withoutMarkup(start) : start)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), readable);
  const characters = Array.from(clean);
  return characters.length <= LONGEST_TEXT ? clean : `${characters.slice(0, LONGEST_TEXT).join('')}…`;
}

const looksLikeHtml = (text: string): boolean => /<(!doctype|html|head|body|center|h1)\b/i.test(text);

/** Of a page that a proxy made, the title says what happened; without one, its visible text. */
function withoutMarkup(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  if (title) return title;
  return page.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^>]*>/g, ' ');
}
