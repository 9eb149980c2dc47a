import type { ReactNode } from 'react';
import { cx } from './cx.ts';

type CardProps = {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  flush?: boolean;
  id?: string;
  className?: string;
  headingLevel?: 'h2' | 'h3';
};

/** A bordered area with an optional heading row. `flush` leaves the padding to the content (tables, lists). */
export function Card({
  title,
  actions,
  children,
  flush = false,
  id,
  className,
  headingLevel: Heading = 'h2',
}: CardProps) {
  return (
    <section
      id={id}
      aria-labelledby={title && id ? `${id}-title` : undefined}
      className={cx('card', className)}
    >
      {title ? (
        <div className="card-head">
          <Heading id={id ? `${id}-title` : undefined} className="card-title">
            {title}
          </Heading>
          {actions ? <div className="flex flex-wrap items-center gap-1.5">{actions}</div> : null}
        </div>
      ) : null}
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </section>
  );
}

/** A card that holds a list of rows, or says that it is empty. */
export function ListCard({
  empty,
  children,
  ...card
}: Omit<CardProps, 'flush' | 'children'> & { empty: ReactNode; children: readonly ReactNode[] }) {
  return (
    <Card flush {...card}>
      {children.length > 0 ? <ul className="divide-y">{children}</ul> : empty}
    </Card>
  );
}
