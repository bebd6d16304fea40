/** Places for what the chart draws. Runs when the chart is made (`npm run docs`): the page gets numbers. */
import elk, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import type { MachineDescription } from '../../machines/describe.ts';
import { type Arrow, type Box, type Graph, graphOf } from './graph.ts';
import { placeLabels } from './labels.ts';
import { HEAD, JOB, type Layout, PILLS, type Place, type Point, rounded, sizeOf } from './places.ts';

/** The package is typed as a module with a default; what Node imports is the class itself. */
const Elk = elk as unknown as typeof elk.default;

const GAP = { between: '30', edges: '8' };
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.nodeNodeBetweenLayers': GAP.between,
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': GAP.edges,
  'elk.spacing.nodeNode': '20',
  'elk.spacing.edgeNode': '12',
  'elk.spacing.edgeEdge': '9',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.thoroughness': '7',
};

const PADDING = '[top=48,left=16,bottom=16,right=16]';

/** @param seed layouts differ by it; what looks best is a matter of taste */
export async function layoutOf(machine: MachineDescription, seed: number): Promise<Layout> {
  const graph = graphOf(machine);
  const options = { ...OPTIONS, 'elk.randomSeed': String(seed) };
  const nodeOf = (box: Box): ElkNode => {
    const inside = graph.boxes.filter(({ parent }) => parent === box.name);
    if (inside.length === 0) return { id: box.name, ...sizeOf(box) };
    const { width, height } = sizeOf(box);
    const head = HEAD + (box.pills.length > 0 ? PILLS : 0) + (box.job === null ? 0 : JOB);
    return {
      id: box.name,
      children: inside.map(nodeOf),
      layoutOptions: {
        ...options,
        'elk.padding': box.parent === null ? PADDING : `[top=${head + 10},left=16,bottom=16,right=16]`,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${width},${height})`,
      },
    };
  };
  const root = graph.boxes.find(({ parent }) => parent === null) as Box;
  const laid = await new Elk().layout({ ...nodeOf(root), edges: graph.arrows.map(elkEdge) });
  return placed(graph, laid);
}

const elkEdge = ({ source, target }: Arrow, index: number): ElkExtendedEdge => ({
  id: `arrow ${index}`,
  sources: [source],
  targets: [target],
});

/** The library gives places within the box around; the page wants them on the sheet. */
function placed(graph: Graph, laid: ElkNode): Layout {
  const places = new Map<string, Place>();
  const walk = (node: ElkNode, left: number, top: number) => {
    const { x = 0, y = 0, width = 0, height = 0 } = node;
    places.set(node.id, { x: left + x, y: top + y, width, height });
    for (const child of node.children ?? []) walk(child, left + x, top + y);
  };
  walk(laid, 0, 0);
  const edges = (laid.edges ?? []) as (ElkExtendedEdge & { readonly container?: string })[];
  const lines = edges.map(({ sections, container }): Point[] => {
    const { x: left, y: top } = places.get(container ?? laid.id) as Place;
    const [section] = sections ?? [];
    const corners = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
    return corners.map(({ x, y }) => [Math.round(x + left), Math.round(y + top)]);
  });
  const boxes = graph.boxes.map((box) => ({ ...box, ...rounded(places.get(box.name) as Place) }));
  const arrows = graph.arrows.map((arrow, index) => ({ ...arrow, points: lines[index] ?? [] }));
  return {
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    boxes: Object.fromEntries(boxes.map(({ name, x, y, width, height }) => [name, [x, y, width, height]])),
    arrows: Object.fromEntries(
      placeLabels(boxes, arrows).map(({ source, target, points, label }) => [
        `${source} ${target}`,
        { points: points.flat(), label: label && [label.x, label.y] },
      ]),
    ),
  };
}
