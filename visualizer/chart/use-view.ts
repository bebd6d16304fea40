/** Zoom by wheel, by two fingers and by buttons; pan by dragging. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { around, CLOSE, pan, SMALLEST, type View, whole, zoom } from './viewport.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const WHEEL = 0.0016;
/** A click that moves less is no drag. */
const DRAG_PX = 4;

export function useView(sheet: Size, size: Size, startAt: { x: number; y: number } | null) {
  const [view, setView] = useState<View | null>(null);
  const ref = useRef<SVGSVGElement>(null);
  const touched = useRef(false);
  const fingers = useRef(new Map<number, PointerEvent>());
  const dragged = useRef(0);

  useEffect(() => {
    if (size.width === 0 || touched.current) return;
    const all = whole(sheet, size);
    if (all.scale >= SMALLEST || startAt === null) setView(all);
    else setView(around(startAt, CLOSE, sheet, size));
  }, [size.width, size.height, startAt === null]);

  const change = useCallback((how: (view: View) => View) => {
    touched.current = true;
    setView((now) => now && how(now));
  }, []);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const at = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const { left, top } = element.getBoundingClientRect();
      return [clientX - left, clientY - top] as const;
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const [x, y] = at(event);
      const speed = event.ctrlKey ? 6 : 1;
      change((now) => zoom(now, Math.exp(-event.deltaY * WHEEL * speed), x, y));
    };
    const onDown = (event: PointerEvent) => {
      fingers.current.set(event.pointerId, event);
      dragged.current = 0;
    };
    const onMove = (event: PointerEvent) => {
      const before = fingers.current.get(event.pointerId);
      if (!before) return;
      const [other] = [...fingers.current.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
      fingers.current.set(event.pointerId, event);
      dragged.current += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
      if (dragged.current < DRAG_PX) return;
      if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
      if (!other)
        return change((now) => pan(now, event.clientX - before.clientX, event.clientY - before.clientY));
      const apart = (one: PointerEvent) =>
        Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const [x, y] = at(other);
      change((now) => zoom(now, apart(event) / (apart(before) || 1), x, y));
    };
    const onUp = (event: PointerEvent) => fingers.current.delete(event.pointerId);
    /** The end of a drag is no click. */
    const onClick = (event: MouseEvent) => {
      if (dragged.current >= DRAG_PX) event.stopPropagation();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointercancel', onUp);
    element.addEventListener('click', onClick, { capture: true });
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', onUp);
      element.removeEventListener('click', onClick, { capture: true });
    };
  }, []);

  return {
    ref,
    view,
    change,
    zoomBy: (factor: number) => change((now) => zoom(now, factor, size.width / 2, size.height / 2)),
    fitAll: () => change(() => whole(sheet, size)),
  };
}
