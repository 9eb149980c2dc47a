import type { MailMessage } from '#delivery/ports/mailer.ts';
import {
  type AlertIssue,
  type AlertMessage,
  CAUSE_LABELS,
  describeLeft,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
} from './alert-message.ts';
import { escapeHtml, shorten } from './escape.ts';

/** What a mail says; every text is plain, and may hold anything. */
export type MailContent = {
  subject: string;
  heading: string;
  /** One entry for each paragraph. */
  paragraphs: readonly string[];
  /** Things that the mail lists, each with its facts. */
  sections?: readonly MailSection[];
  /** null: nothing to open. */
  button: { label: string; url: string } | null;
  /** Why this came and what to do when it was not asked for. */
  footnote: string;
  /** Opens a page that stops such mails; absent for mails that somebody asked for. */
  unsubscribeUrl?: string;
};

export type MailSection = {
  title: string;
  /** null: the title leads nowhere. */
  url: string | null;
  /** One line below the title each; one with a label has it in front, which may lead somewhere. */
  lines: readonly { label: string | null; text: string; url?: string }[];
};

/** A mail that nobody has been named for yet. */
export type MailDraft = Pick<MailMessage, 'subject' | 'text' | 'html' | 'unsubscribeUrl' | 'replyTo'>;

/** The mail as text and as HTML. Texts are escaped; no picture, script or font is loaded from anywhere. */
export const composeMail = ({ to, ...content }: MailContent & { to: string }): MailMessage => ({
  to,
  ...draftMail(content),
});

/** As `composeMail`, without its reader. */
export function draftMail(content: MailContent): MailDraft {
  return {
    subject: oneLine(content.subject),
    text: composeText(content),
    html: composeHtml(content),
    ...(content.unsubscribeUrl !== undefined && { unsubscribeUrl: content.unsubscribeUrl }),
  };
}

function composeText({
  heading,
  paragraphs,
  sections = [],
  button,
  footnote,
  unsubscribeUrl,
}: MailContent): string {
  const parts = [heading, ...paragraphs, ...sections.map(sectionText)];
  if (button) parts.push(`${button.label}: ${button.url}`);
  parts.push('-- ', footnote);
  if (unsubscribeUrl !== undefined) parts.push(`Unsubscribe: ${unsubscribeUrl}`);
  return `${parts.join('\n\n')}\n`;
}

const sectionText = ({ title, url, lines }: MailSection): string =>
  [
    `* ${title}`,
    ...lines.map(({ label, text }) => `  ${label === null ? '' : `${label}: `}${text}`),
    ...(url === null ? [] : [`  ${url}`]),
  ].join('\n');

function composeHtml({
  heading,
  paragraphs,
  sections = [],
  button,
  footnote,
  unsubscribeUrl,
}: MailContent): string {
  const open = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#24418f;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>
<p style="${SMALL}">If the button does not work, open this link: <br><a href="${escapeHtml(button.url)}" style="${LINK};word-break:break-all">${escapeHtml(button.url)}</a></p>`
    : '';
  const leave =
    unsubscribeUrl === undefined
      ? ''
      : `<br><a href="${escapeHtml(unsubscribeUrl)}" style="${LINK}">Unsubscribe</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:520px;margin:0 auto">
<h1 style="font-size:20px;line-height:1.3;overflow-wrap:anywhere">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="overflow-wrap:anywhere">${escapeHtml(text)}</p>`).join('\n')}
${sections.map(sectionHtml).join('\n')}
${open}
<p style="${SMALL};border-top:1px solid #8884;padding-top:12px;margin-top:32px">${escapeHtml(footnote)}${leave}</p>
</div></body></html>
`;
}

function sectionHtml({ title, url, lines }: MailSection): string {
  const head =
    url === null
      ? escapeHtml(title)
      : `<a href="${escapeHtml(url)}" style="${LINK}">${escapeHtml(title)}</a>`;
  const rows = lines.map((line) => `<div>${labelHtml(line)}${escapeHtml(line.text)}</div>`);
  return `<div style="border-left:3px solid #8886;padding-left:12px;margin:16px 0;overflow-wrap:anywhere">
<h2 style="font-size:16px;line-height:1.4;margin:0">${head}</h2>
<div style="font-size:14px">${rows.join('')}</div></div>`;
}

function labelHtml({ label, url }: MailSection['lines'][number]): string {
  if (label === null) return '';
  if (url !== undefined) return `<a href="${escapeHtml(url)}" style="${LINK}">${escapeHtml(label)}</a> `;
  return `<span style="opacity:.75">${escapeHtml(label)}:</span> `;
}

const SMALL = 'font-size:13px;opacity:.75';
/** Mail programs choose the ground, light or dark: the colour of the text stands on both. */
const LINK = 'color:inherit';

/** A subject with a line break could otherwise begin another header. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const SUBJECT_CHARACTERS_MAX = 180;

/** The message as a mail to a member, who can stop such mails with one click. */
export function alertMail(message: AlertMessage, unsubscribeUrl: string): MailDraft {
  const { organization, headline, intro, issues, metrics, rules, link } = message;
  const left = describeLeft(message);
  const isSingle = issues.length === 1;
  const names = rules.map(({ name }) => `“${name}”`).join(', ');
  return draftMail({
    subject: shorten(`[${organization.slug}] ${headline}`, SUBJECT_CHARACTERS_MAX),
    heading: headline,
    paragraphs: intro === null ? [] : [intro],
    sections: [
      ...metrics.map((metric) => ({
        title: metricTitle(metric),
        url: metric.url,
        lines: metricFacts(metric),
      })),
      ...issues.map((entry) => (isSingle ? wholeIssue(entry) : listedIssue(entry))),
      ...(left === null ? [] : [{ title: left, url: link.url, lines: [] }]),
    ],
    button: link,
    footnote: `You are receiving this email because of ${names === '' ? 'an alert' : `the alert ${names}`} in ${organization.name}. Choose which emails you get in your account settings.`,
    unsubscribeUrl,
  });
}

const wholeIssue = (entry: AlertIssue): MailSection => ({
  title: `${entry.issue.shortId} ${entry.title}`,
  url: entry.url,
  lines: issueFacts(entry),
});

const listedIssue = (entry: AlertIssue): MailSection => ({
  title: `${entry.issue.shortId} ${CAUSE_LABELS[entry.cause]}: ${entry.title}`,
  url: entry.url,
  lines: [{ label: null, text: issueLine(entry) }],
});
