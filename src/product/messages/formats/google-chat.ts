import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import {
  type AlertMessage,
  CAUSE_LABELS,
  describeLeft,
  type Fact,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
} from '../alert-message.ts';
import { escapeHtml, shorten } from '../escape.ts';
import { fitNamed } from './fit-lines.ts';

/** A message has at most 32,000 bytes, and a card 100 widgets: the sections from the one that holds the 101st are dropped. */
const BYTES_MAX = 30_000;
const WIDGETS_MAX = 100;
const TITLE_CHARACTERS_MAX = 200;

type Widget = Readonly<Record<string, unknown>>;
type Section = { widgets: readonly Widget[] };

/**
 * A card: its texts know a few tags of HTML and no calls of names.
 * Source: https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
 */
export function formatGoogleChat(message: AlertMessage, deliveryId: string): readonly MessagePart[] {
  const { headline, organization } = message;
  const header = {
    title: shorten(headline, TITLE_CHARACTERS_MAX),
    subtitle: `Errata · ${organization.slug}`,
  };
  const toBody = (sections: readonly Section[]) => ({
    cardsV2: [{ cardId: deliveryId, card: { header, sections } }],
  });
  const sections = fitNamed(
    message,
    sectionsOf,
    (made) =>
      made.reduce((sum, { widgets }) => sum + widgets.length, 0) <= WIDGETS_MAX &&
      Buffer.byteLength(JSON.stringify(toBody(made))) <= BYTES_MAX,
  );
  return [{ body: toBody(sections) }];
}

function sectionsOf(message: AlertMessage): readonly Section[] {
  const { intro, issues, issuesLeft, metrics, link, rules } = message;
  const isSingle = issues.length + issuesLeft === 1;
  const left = describeLeft(message);
  return [
    ...(intro === null ? [] : [{ widgets: [paragraph(escapeHtml(intro))] }]),
    ...metrics.map((metric) => ({
      widgets: [
        paragraph(`<b>${anchor(metric.url, metricTitle(metric))}</b>`),
        ...metricFacts(metric).map(factWidget),
      ],
    })),
    ...issues.map((issue) => ({
      widgets: isSingle
        ? [
            paragraph(`<b>${anchor(issue.url, issue.issue.shortId)}</b> ${escapeHtml(issue.title)}`),
            ...issueFacts(issue).map(factWidget),
          ]
        : [
            paragraph(
              `<b>${anchor(issue.url, issue.issue.shortId)}</b> ${CAUSE_LABELS[issue.cause]}: ${escapeHtml(issue.title)}<br>${escapeHtml(issueLine(issue))}`,
            ),
          ],
    })),
    {
      widgets: [
        ...(left === null ? [] : [paragraph(left)]),
        { buttonList: { buttons: [{ text: link.label, onClick: { openLink: { url: link.url } } }] } },
        ...(rules.length === 0
          ? []
          : [paragraph(`Alert: ${rules.map(({ name, url }) => anchor(url, name)).join(', ')}`)]),
      ],
    },
  ];
}

const factWidget = ({ label, text }: Fact): Widget => ({
  decoratedText: { topLabel: label, text: escapeHtml(text), wrapText: true },
});

const paragraph = (html: string): Widget => ({ textParagraph: { text: html } });

const anchor = (url: string, label: string): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
