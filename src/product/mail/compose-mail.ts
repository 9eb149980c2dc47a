import type { MailMessage } from '#delivery/ports/mailer.ts';

/** What a mail says; every text is plain, and may hold anything. */
export type MailContent = {
  to: string;
  subject: string;
  heading: string;
  /** One entry for each paragraph. */
  paragraphs: readonly string[];
  /** null: nothing to open. */
  button: { label: string; url: string } | null;
  /** Why this came and what to do when it was not asked for. */
  footnote: string;
};

/** The mail as text and as HTML. Texts are escaped; no picture, script or font is loaded from anywhere. */
export function composeMail(content: MailContent): MailMessage {
  return {
    to: content.to,
    subject: oneLine(content.subject),
    text: composeText(content),
    html: composeHtml(content),
  };
}

function composeText({ heading, paragraphs, button, footnote }: MailContent): string {
  const parts = [heading, ...paragraphs];
  if (button) parts.push(`${button.label}: ${button.url}`);
  return `${[...parts, '-- ', footnote].join('\n\n')}\n`;
}

function composeHtml({ heading, paragraphs, button, footnote }: MailContent): string {
  const open = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#24418f;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>
<p style="${SMALL}">The button does not work? Open this address: <br><a href="${escapeHtml(button.url)}" style="color:#24418f;word-break:break-all">${escapeHtml(button.url)}</a></p>`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:520px;margin:0 auto">
<h1 style="font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${open}
<p style="${SMALL};border-top:1px solid #8884;padding-top:12px;margin-top:32px">${escapeHtml(footnote)}</p>
</div></body></html>
`;
}

const SMALL = 'font-size:13px;opacity:.75';

/** A subject with a line break could otherwise begin another header. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
