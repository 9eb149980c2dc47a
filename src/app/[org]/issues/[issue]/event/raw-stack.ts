import type { FrameView } from './frame-view.ts';

export type RawException = { type: string; value: string; frames: readonly FrameView[] };

/** An exception with its stack as the platform itself would print it. `platform` is that of the event. */
export function rawStack(exception: RawException, platform: string): string {
  const head = [exception.type, exception.value].filter(Boolean).join(': ');
  if (platform === 'python') {
    return ['Traceback (most recent call last):', ...exception.frames.flatMap(pythonFrame), head].join('\n');
  }
  const frames = [...exception.frames].reverse();
  return [head, ...frames.map(LINES[platform] ?? plainFrame)].filter(Boolean).join('\n');
}

function pythonFrame(frame: FrameView): string[] {
  const line = `  File "${frame.fullPath || frame.place}", line ${frame.line ?? '?'}, in ${frame.functionName}`;
  const source = frame.source.find((each) => each.isCalled)?.text.trim();
  return source ? [line, `    ${source}`] : [line];
}

function scriptFrame(frame: FrameView): string {
  return `    at ${frame.functionName} (${position(frame)})`;
}

function javaFrame(frame: FrameView): string {
  const file = frame.line === null ? frame.place : `${frame.place}:${frame.line}`;
  return `\tat ${frame.functionName}(${file || 'Unknown Source'})`;
}

function nativeFrame(frame: FrameView): string {
  return ['   ', frame.address, frame.library, frame.functionName, position(frame)].filter(Boolean).join(' ');
}

function plainFrame(frame: FrameView): string {
  const at = position(frame);
  return at ? `    ${frame.functionName} in ${at}` : `    ${frame.functionName}`;
}

function position(frame: FrameView): string {
  return [frame.place, frame.line, frame.line === null ? null : frame.column]
    .filter((part) => part !== null && part !== '')
    .join(':');
}

const LINES: Readonly<Record<string, (frame: FrameView) => string>> = {
  javascript: scriptFrame,
  node: scriptFrame,
  java: javaFrame,
  native: nativeFrame,
  cocoa: nativeFrame,
};
