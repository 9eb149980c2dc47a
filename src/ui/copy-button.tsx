'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonAppearance } from './button.tsx';
import { showToast } from './toast.tsx';

const CONFIRMED_MS = 1_600;

/** Copies a text. Without `children` it is an icon; `label` is what the button does, such as "Copy the DSN". */
export function CopyButton({
  text,
  label,
  children,
  className,
  ...look
}: ButtonAppearance & {
  text: string | (() => string | Promise<string>);
  label: string;
  children?: string;
  className?: string;
}) {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy() {
    try {
      await writeClipboard(typeof text === 'string' ? text : await text());
      setIsCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setIsCopied(false), CONFIRMED_MS);
    } catch {
      showToast({ title: 'Couldn’t copy. Select the text and copy it manually.', tone: 'danger' });
    }
  }

  return (
    <Button
      variant="ghost"
      size="sm"
      iconOnly={!children}
      aria-label={children ? undefined : label}
      title={label}
      onClick={copy}
      className={className}
      {...look}
    >
      {isCopied ? (
        <Check aria-hidden className="size-3.5 text-success" />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
      {children ? (isCopied ? 'Copied' : children) : null}
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </Button>
  );
}

/** The clipboard API exists only on https and localhost; a LAN address over http needs the old way. */
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('The browser blocked copying');
}
