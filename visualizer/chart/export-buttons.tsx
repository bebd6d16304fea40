import type { RefObject } from 'preact';
import { Button } from '../parts/button.tsx';

export const loadExport = () => import('./export-svg.ts');

export function ExportButtons({ sheet }: { readonly sheet: RefObject<SVGSVGElement | null> }) {
  const saveAs = (kind: 'svg' | 'png') => () =>
    void loadExport().then((all) => sheet.current && all.saveChart(sheet.current, kind));
  return (
    <>
      <Button label="Save the chart as SVG" onClick={saveAs('svg')}>
        SVG
      </Button>
      <Button label="Save the chart as PNG" onClick={saveAs('png')}>
        PNG
      </Button>
    </>
  );
}
