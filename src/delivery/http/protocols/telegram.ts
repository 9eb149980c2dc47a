import {
  type DestinationProtocol,
  jsonField,
  postJson,
  secondsToMs,
  textOrNull,
} from '../destination-protocol.ts';

/** Source: https://core.telegram.org/bots/api#sendmessage */
export const telegram: DestinationProtocol = {
  name: 'Telegram',
  request: ({ config, secret }, { body }) =>
    postJson(new URL(`/bot${secret.botToken}/sendMessage`, config.server).href, {
      chat_id: config.chatId,
      ...(config.topicId && { message_thread_id: Number(config.topicId) }),
      ...body,
    }),
  explain: ({ body }) => textOrNull(jsonField(body, 'description')),
  waitMs: ({ body }) => secondsToMs(jsonField(body, 'parameters', 'retry_after')),
};
