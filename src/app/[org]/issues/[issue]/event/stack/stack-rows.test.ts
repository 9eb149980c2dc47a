import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Frame } from '#protocol/event.ts';
import { drawRows } from './draw-rows.ts';
import { stackView } from './frame-view.ts';
import { StackRows } from './stack-rows.tsx';

/** The stack as markup, with the first frame as the one of the crash. */
function markupOf(frames: readonly Frame[], platform = 'node'): string {
  const view = stackView({ frames }, undefined, () => 'https://git.example/a.ts#L9', frames[0]);
  const rows = view.frames.map((frame) => ({ kind: 'frame' as const, frame }));
  return renderToStaticMarkup(createElement(StackRows, { rows: drawRows(rows, platform) }));
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const own: Frame = {
  function: 'pay',
  filename: 'src/pay.ts',
  lineno: 9,
  in_app: true,
  pre_context: lines(6),
  context_line: 'throw new Error();',
  post_context: lines(5),
};
const problem = { source_problem: { reason: 'no_position' } };

it('opens the frame of the crash only, with four lines on both sides and a control for the others', () => {
  const markup = markupOf([own, { ...own }]);
  expect(markup.match(/<details open=""><summary class="frame-head/g)).toHaveLength(1);
  expect(markup.match(/id="crash-frame"/g)).toHaveLength(1);
  expect(markup).toContain('Show 3 more lines');
  expect(markup.match(/<li[^>]*class="far"/g)).toHaveLength(3);
});

it('has the ways to the repository and to the clipboard in the head of the crash frame', () => {
  const markup = markupOf([own]);
  expect(markup).toContain('href="https://git.example/a.ts#L9"');
  expect(markup).toContain('Open in repository');
  expect(markup).toContain('Copy line');
});

it('has no control when all lines are shown', () => {
  expect(markupOf([{ ...own, pre_context: lines(4), post_context: lines(4) }])).not.toContain('more line');
});

it('warns about an in-app frame without source, and notes it quietly on a library frame', () => {
  const markup = (in_app: boolean) =>
    markupOf([{ function: 'f', filename: 'a.js', in_app, data: problem }], 'javascript');
  expect(markup(true)).toContain('href="#no-source-no-position"');
  expect(markup(false)).toContain('No source: ');
  expect(markup(false)).not.toContain('#no-source');
});

it('says at the crash why there is no source when no reason is known', () => {
  expect(markupOf([{ function: 'f', filename: 'a.js' }], 'javascript')).toContain('Upload source maps');
});
