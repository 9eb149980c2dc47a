import type { FlameGraph } from '#domain/profiles/flame-graph.ts';
import type { ThreadProfile } from '#domain/profiles/thread-profile.ts';
import { canvasColors } from '#ui/canvas-colors.ts';
import { LIBRARY_COLOR, OWN_COLOR } from './frame-colors.ts';

export const BOX_HEIGHT_PX = 20;
/** Narrower boxes have no room for a name. */
const NAMED_PX_MIN = 24;
const PADDING_PX = 4;
/** How much of a box is seen that does not match the search. */
const DIMMED = 0.35;

export type FlameScene = {
  graph: FlameGraph;
  thread: ThreadProfile;
  /** What of the width is shown, in microseconds. */
  fromUs: number;
  toUs: number;
  /** How far it is scrolled, in pixels. */
  top: number;
  /** Whether each frame matches the search; null for none. */
  matches: readonly boolean[] | null;
  /** Boxes; -1 for none. */
  selected: number;
  hovered: number;
};

/** Draws what is in view, at the size that the canvas has on the page. */
export function drawFlames(canvas: HTMLCanvasElement, scene: FlameScene): void {
  const scale = window.devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  const color = canvasColors(canvas);
  const colors = {
    own: color(OWN_COLOR),
    library: color(LIBRARY_COLOR),
    match: color('var(--color-warning-soft)'),
    matchLine: color('var(--color-warning)'),
    text: color('var(--color-text)'),
    line: color('var(--color-accent-line)'),
  };
  context.scale(scale, scale);
  context.font = `12px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = 'middle';
  const { graph, thread, matches, top } = scene;
  const perUs = width / (scene.toUs - scene.fromUs);
  /** Where the last box of each depth ended: many may share a pixel. */
  const drawnTo: number[] = [];
  for (let box = 0; box < graph.nodes.length; box++) {
    const depth = graph.depths[box] as number;
    const y = depth * BOX_HEIGHT_PX - top;
    if (y + BOX_HEIGHT_PX < 0 || y > height) continue;
    const left = Math.max(0, ((graph.fromUs[box] as number) - scene.fromUs) * perUs);
    const right = Math.min(width, ((graph.toUs[box] as number) - scene.fromUs) * perUs);
    if (right < 0 || left > width || right <= left || right < (drawnTo[depth] ?? -1) + 0.5) continue;
    drawnTo[depth] = right;
    const frame = thread.nodes.frames[graph.nodes[box] as number] as number;
    const isMatch = matches?.[frame] === true;
    const boxWidth = Math.max(right - left - 1, 0.5);
    context.globalAlpha = matches && !isMatch ? DIMMED : 1;
    context.fillStyle = isMatch
      ? colors.match
      : thread.frames[frame]?.isLibrary
        ? colors.library
        : colors.own;
    context.fillRect(left, y, boxWidth, BOX_HEIGHT_PX - 1);
    if (isMatch) {
      context.fillStyle = colors.matchLine;
      context.fillRect(left, y + BOX_HEIGHT_PX - 3, boxWidth, 2);
    }
    if (boxWidth >= NAMED_PX_MIN) {
      context.fillStyle = colors.text;
      const name = fitText(context, thread.frames[frame]?.name ?? '', boxWidth - 2 * PADDING_PX);
      context.fillText(name, left + PADDING_PX, y + BOX_HEIGHT_PX / 2);
    }
    if (box === scene.selected || box === scene.hovered) {
      context.globalAlpha = 1;
      context.strokeStyle = colors.line;
      context.lineWidth = box === scene.selected ? 2 : 1;
      context.strokeRect(left + 1, y + 1, Math.max(boxWidth - 2, 1), BOX_HEIGHT_PX - 3);
    }
  }
}

/** The box at a point of the canvas; -1 where there is none. */
export function boxAt(
  canvas: HTMLCanvasElement,
  { graph, fromUs, toUs, top }: Pick<FlameScene, 'graph' | 'fromUs' | 'toUs' | 'top'>,
  { clientX, clientY }: { clientX: number; clientY: number },
): number {
  const { left, top: above, width } = canvas.getBoundingClientRect();
  const depth = Math.floor((clientY - above + top) / BOX_HEIGHT_PX);
  const atUs = fromUs + ((clientX - left) / width) * (toUs - fromUs);
  for (let box = 0; box < graph.nodes.length; box++) {
    if (graph.depths[box] !== depth) continue;
    if ((graph.fromUs[box] as number) <= atUs && atUs < (graph.toUs[box] as number)) return box;
  }
  return -1;
}

/** Cut at the end, so that it fits. */
function fitText(context: CanvasRenderingContext2D, text: string, width: number): string {
  const roomFor = Math.floor(width / AVERAGE_CHAR_PX);
  if (text.length <= roomFor && context.measureText(text).width <= width) return text;
  let fitting = text.slice(0, roomFor + 4);
  while (fitting.length > 0 && context.measureText(`${fitting}…`).width > width)
    fitting = fitting.slice(0, -1);
  return fitting === '' ? '' : `${fitting}…`;
}

const AVERAGE_CHAR_PX = 6;
