'use client';

import { useRouter } from 'next/navigation';
import { Link } from '#ui/navigation/link.tsx';
import { Select } from '#ui/select.tsx';
import { keepCookie } from '../../../../../shell/keep-cookie.ts';

/** A choice between few views, each an address of its own; the chosen one is kept for other pages. */
export function ChoiceLinks({
  label,
  cookie,
  choices,
}: {
  label: string;
  cookie: string;
  choices: readonly { label: string; href: string; isChosen: boolean; kept: string }[];
}) {
  return (
    <nav aria-label={label} className="choices">
      {choices.map((choice) => (
        <Link
          key={choice.label}
          href={choice.href}
          scroll={false}
          replace
          aria-current={choice.isChosen ? 'true' : undefined}
          onClick={() => keepCookie(cookie, choice.kept)}
        >
          {choice.label}
        </Link>
      ))}
    </nav>
  );
}

/** Chooses the thread that the page shows; `href` ends where its place belongs. */
export function ThreadPicker({
  value,
  options,
  href,
}: {
  value: string;
  options: readonly { value: string; label: string; hint: string }[];
  href: string;
}) {
  const router = useRouter();
  return (
    <Select
      label="Thread"
      value={value}
      onValueChange={(chosen) => router.replace(`${href}${chosen}`, { scroll: false })}
      options={options}
    />
  );
}
