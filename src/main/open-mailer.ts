import type { Mailer } from '#delivery/ports/mailer.ts';
import { createNoMailer } from '#delivery/smtp/no-mailer.ts';
import { createSmtpMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Log } from '#lib/log.ts';
import type { Config } from '../config.ts';

/** As the settings say; without a mail server one that says so. */
export const openMailer = ({ smtp }: Pick<Config, 'smtp'>, log: Log): Mailer =>
  smtp ? createSmtpMailer(smtp, log) : createNoMailer();
