// Runs in the frame of a replay, as it is: nothing here may be imported but types.
import type { Replayer } from 'rrweb';
import type { FrameCommand, FrameReport, PlayableEvent } from './frame-messages.ts';

declare const rrweb: { Replayer: typeof Replayer };

/** The time is reported this often while it runs. */
const REPORT_MS = 100;
/** Instead of what the recording would have loaded. */
const PLACEHOLDERS = [
  'img:not([src]),[data-replay-placeholder]{background:repeating-linear-gradient(45deg,#8882 0 6px,#8884 6px 12px)!important;min-width:8px;min-height:8px}',
  'noscript{display:none!important}',
];

/** What happened in the very millisecond that is sought has happened. */
const THIS_MS = 1;

const report = (message: FrameReport): void => parent.postMessage(message, location.origin);

let replayer: Replayer | null = null;
let waiting: PlayableEvent[] = [];
let speed = 1;
let isPlaying = false;

function open(events: PlayableEvent[]): Replayer {
  const opened = new rrweb.Replayer(events as unknown as ConstructorParameters<typeof Replayer>[0], {
    root: document.body,
    speed,
    skipInactive: false,
    showWarning: false,
    showDebug: false,
    triggerFocus: false,
    UNSAFE_replayCanvas: false,
    mouseTail: { duration: 500, lineWidth: 2, strokeStyle: '#5b6ee1' },
    insertStyleRules: PLACEHOLDERS,
  });
  opened.on('resize', (size) => scaleToFit(size as { width: number; height: number }));
  opened.on('fullsnapshot-rebuilded', () => report({ kind: 'shown' }));
  opened.on('finish', () => {
    isPlaying = false;
    report({ kind: 'ended' });
  });
  return opened;
}

let recorded = { width: 0, height: 0 };

/** The recorded page keeps its proportions and fills the frame. */
function scaleToFit(size = recorded): void {
  recorded = size;
  const { wrapper } = replayer ?? {};
  if (!wrapper || size.width <= 0 || size.height <= 0) return;
  const scale = Math.min(innerWidth / size.width, innerHeight / size.height);
  const left = (innerWidth - size.width * scale) / 2;
  const top = (innerHeight - size.height * scale) / 2;
  wrapper.style.cssText = `position:absolute;transform-origin:0 0;left:${left}px;top:${top}px;width:${size.width}px;height:${size.height}px;transform:scale(${scale})`;
}

function addEvents(events: readonly PlayableEvent[]): void {
  if (replayer) {
    for (const event of events) replayer.addEvent(event as unknown as Parameters<Replayer['addEvent']>[0]);
    return;
  }
  waiting.push(...events);
  if (waiting.length < 2) return;
  replayer = open(waiting);
  waiting = [];
}

const COMMANDS: { [Kind in FrameCommand['kind']]?: (command: FrameCommand & { kind: Kind }) => void } = {
  hello: () => report({ kind: 'ready' }),
  events: ({ events }) => addEvents(events),
  play({ at }) {
    isPlaying = true;
    replayer?.play(at + THIS_MS);
  },
  pause({ at }) {
    isPlaying = false;
    replayer?.pause(at + THIS_MS);
  },
  speed(command) {
    speed = command.speed;
    replayer?.setConfig({ speed });
  },
};

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return;
  try {
    (COMMANDS[(data as FrameCommand).kind] as ((command: unknown) => void) | undefined)?.(data);
  } catch (error) {
    report({ kind: 'failed', reason: String(error) });
  }
});
// The player rebuilds pages later than it is told to.
addEventListener('error', ({ message }) => report({ kind: 'failed', reason: message }));
addEventListener('resize', () => scaleToFit());
setInterval(() => {
  if (isPlaying && replayer) report({ kind: 'time', at: replayer.getCurrentTime() });
}, REPORT_MS);
report({ kind: 'ready' });
