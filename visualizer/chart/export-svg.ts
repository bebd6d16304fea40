/** The chart as a picture of its own: the styles of the page are written into it, and all of the sheet is in it. */
import { SHEET } from './chart-model.ts';

export async function saveChart(sheet: SVGSVGElement, kind: 'svg' | 'png'): Promise<void> {
  const svg = standaloneSvg(sheet);
  const picture = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg);
  save(picture, `pawl-chart.${kind}`);
}

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'display',
  'font-family',
  'font-size',
  'font-weight',
] as const;

function standaloneSvg(sheet: SVGSVGElement): string {
  const wasFar = sheet.classList.contains('far');
  // Read close up: from afar, labels are hidden.
  sheet.classList.remove('far');
  const copy = sheet.cloneNode(true) as SVGSVGElement;
  const [from, to] = [sheet.querySelectorAll('*'), copy.querySelectorAll('*')];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const target = to[index] as SVGElement;
    for (const name of STYLES) target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'style', 'tabindex', 'role']) target.removeAttribute(name);
  });
  if (wasFar) sheet.classList.add('far');
  for (const hidden of copy.querySelectorAll('[display="none"]')) hidden.remove();
  copy.firstElementChild?.removeAttribute('transform');
  copy.removeAttribute('class');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${SHEET.width} ${SHEET.height}`);
  copy.setAttribute('width', String(SHEET.width));
  copy.setAttribute('height', String(SHEET.height));
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

const PNG_SCALE = 2;

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = SHEET.width * PNG_SCALE;
  canvas.height = SHEET.height * PNG_SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture could be made')))),
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
