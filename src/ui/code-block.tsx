import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';
import { ScrollRegion } from './table.tsx';

/** Text as it is, in the mono face, with a button that copies it. Long lines wrap unless `wrap` is off. */
export function CodeBlock({
  text,
  label,
  wrap = true,
  className,
}: {
  text: string;
  /** What the block holds, for the copy button and assistive technology. */
  label: string;
  wrap?: boolean;
  className?: string;
}) {
  return (
    <div className={cx('flex min-w-0 items-start rounded-md border bg-surface-sunken', className)}>
      <ScrollRegion label={label} className="max-h-[32rem] min-w-0 flex-1 overflow-auto rounded-md">
        <pre
          className={cx(
            'mono w-full px-3 py-2.5 text-text text-xs leading-5',
            wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
          )}
        >
          <bdi>{text}</bdi>
        </pre>
      </ScrollRegion>
      <div className="shrink-0 p-1.5">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
