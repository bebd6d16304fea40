/** Zoom and pan: which part of the sheet a window of some size shows. Pure. */
export interface View {
  /** Units of the sheet at the window's corner are `-x / scale` and `-y / scale`. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}
interface Size {
  readonly width: number;
  readonly height: number;
}
interface Area extends Size {
  readonly x: number;
  readonly y: number;
}

const SCALE = { least: 0.15, most: 3 };
const MARGIN = 12;

export function whole(sheet: Size, window: Size): View {
  const scale = Math.min(
    (window.width - MARGIN * 2) / sheet.width,
    (window.height - MARGIN * 2) / sheet.height,
    1.2,
  );
  const bounded = Math.max(scale, SCALE.least);
  return {
    scale: bounded,
    x: (window.width - sheet.width * bounded) / 2,
    y: (window.height - sheet.height * bounded) / 2,
  };
}

/** A part of the sheet, with as little as can be of what is beside it. */
export function around(at: { x: number; y: number }, scale: number, sheet: Size, window: Size): View {
  const offset = (middle: number, length: number, room: number): number => {
    const least = room - length * scale - MARGIN;
    if (least > MARGIN) return (room - length * scale) / 2;
    return Math.min(MARGIN, Math.max(least, room / 2 - middle * scale));
  };
  return {
    scale,
    x: offset(at.x, sheet.width, window.width),
    y: offset(at.y, sheet.height, window.height),
  };
}

/** The point of the window that is given stays where it is. */
export function zoom(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(SCALE.most, Math.max(SCALE.least, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

export const pan = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x + dx,
  y: view.y + dy,
});

/** The same scale, moved only as far as the area needs to be seen whole. */
export function reveal(view: View, area: Area, window: Size): View {
  const shift = (start: number, length: number, offset: number, room: number): number => {
    const [from, to] = [start * view.scale + offset, (start + length) * view.scale + offset];
    if (from >= MARGIN && to <= room - MARGIN) return offset;
    return room / 2 - (start + length / 2) * view.scale;
  };
  return {
    ...view,
    x: shift(area.x, area.width, view.x, window.width),
    y: shift(area.y, area.height, view.y, window.height),
  };
}

/** Below this, labels cannot be read and are left out. */
export const READABLE = 0.62;
/** Where all of the sheet would be smaller than this, a part of it is shown instead, from closer by; asked for, it is a map. */
export const SMALLEST = 0.4;
export const CLOSE = 0.7;
