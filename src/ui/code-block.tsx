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
    <div className={cx('relative min-w-0 rounded-md border bg-surface-sunken', className)}>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label}`} className="bg-surface-sunken" />
      </div>
      <ScrollRegion label={label} className="max-h-[32rem] overflow-auto rounded-md">
        <pre
          className={cx(
            'mono w-full py-2.5 pr-11 pl-3 text-text text-xs leading-5',
            wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
          )}
        >
          <bdi>{text}</bdi>
        </pre>
      </ScrollRegion>
    </div>
  );
}
