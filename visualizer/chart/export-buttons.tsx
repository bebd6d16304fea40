import type { RefObject } from 'preact';
import { Button } from '../parts/button.tsx';
import { pngOf, save, standaloneSvg } from './export-svg.ts';

export function ExportButtons({ sheet }: { readonly sheet: RefObject<SVGSVGElement | null> }) {
  const svg = () => (sheet.current ? standaloneSvg(sheet.current) : '');
  return (
    <>
      <Button
        label="Save the chart as SVG"
        onClick={() => save(new Blob([svg()], { type: 'image/svg+xml' }), 'pawl-chart.svg')}
      >
        SVG
      </Button>
      <Button
        label="Save the chart as PNG"
        onClick={() => void pngOf(svg()).then((png) => save(png, 'pawl-chart.png'))}
      >
        PNG
      </Button>
    </>
  );
}
