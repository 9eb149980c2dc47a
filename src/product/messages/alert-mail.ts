import { draftMail, type MailDraft, type MailSection } from '#product/mail/compose-mail.ts';
import {
  type AlertIssue,
  type AlertMessage,
  CAUSE_WORDS,
  describeLeft,
  issueFacts,
  issueLine,
  metricFacts,
  metricTitle,
} from './alert-message.ts';
import { shorten } from './plain-text.ts';

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
      ...issues.map((told) => (isSingle ? wholeIssue(told) : listedIssue(told))),
      ...(left === null ? [] : [{ title: left, url: link.url, lines: [] }]),
    ],
    button: link,
    footnote: `You get this because ${names === '' ? 'an alert' : `the alert ${names}`} of ${organization.name} tells you. Your account decides about what mails come.`,
    unsubscribeUrl,
  });
}

const wholeIssue = (told: AlertIssue): MailSection => ({
  title: `${told.issue.shortId} ${told.title}`,
  url: told.url,
  lines: issueFacts(told),
});

const listedIssue = (told: AlertIssue): MailSection => ({
  title: `${told.issue.shortId} ${CAUSE_WORDS[told.cause]}: ${told.title}`,
  url: told.url,
  lines: [{ label: null, text: issueLine(told) }],
});
