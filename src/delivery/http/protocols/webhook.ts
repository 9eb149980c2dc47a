import { createHmac } from 'node:crypto';
import type { DestinationProtocol } from '../destination-protocol.ts';

/**
 * As Sentry's webhooks are signed and named, so that what reads those reads ours: the signature is the HMAC-SHA256 of the
 * body, in hexadecimal. Source: https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const webhook: DestinationProtocol = {
  name: 'The webhook',
  request({ secret, deliveryId }, { body, resource = 'event_alert' }, index, nowMs) {
    const text = JSON.stringify(body);
    return {
      url: secret.url ?? '',
      body: text,
      headers: {
        // The first part has the id itself: nearly every message has only one.
        'request-id': index === 0 ? deliveryId : `${deliveryId}.${index + 1}`,
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(Math.floor(nowMs / 1_000)),
        'sentry-hook-signature': createHmac('sha256', secret.signingSecret ?? '')
          .update(text)
          .digest('hex'),
      },
    };
  },
};
