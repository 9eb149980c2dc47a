/** What a payload calls when any of it runs in a page. */
export const CANARY = 'errataCanary';
/** No request may go there, nor anywhere else but to the server. */
export const FOREIGN_ORIGIN = 'https://evil.example';

export const RUN = `${CANARY}()`;

/** Texts that would run, load, restyle, mislead or break a page that shows them as anything but text. */
export const TEXTS = {
  script: `<script>${RUN}</script>"'><img src=x onerror=${RUN}><svg/onload=${RUN}><b onmouseover=${RUN}>b`,
  'end of an element': `</script></style></title></textarea></pre></template>--><script>${RUN}</script>\u2028${RUN}`,
  template: `{{constructor.constructor('${RUN}')()}} \${${RUN}} #{${RUN}} <%= ${RUN} %> {%raw%} $$\\href{javascript:${RUN}}{x}$$`,
  page: `<base href="${FOREIGN_ORIGIN}/"><meta http-equiv="refresh" content="0;url=${FOREIGN_ORIGIN}"><link rel="stylesheet" href="${FOREIGN_ORIGIN}/x.css"><iframe srcdoc="<script>parent.${RUN}</script>"></iframe><form action="${FOREIGN_ORIGIN}"><button autofocus onfocus=${RUN}>`,
  'script address': `javascript:${RUN}`,
  'padded script address': `\u0001 java\tscript:\n${RUN}//https://shop.example/`,
  'data address': `data:text/html,<script>parent.${RUN}</script>`,
  style: `</style><style>*{display:none!important;background:url(${FOREIGN_ORIGIN}/s)}</style>;color:red;position:fixed;inset:0;background:url(${FOREIGN_ORIGIN}/t)`,
  markdown: `[click](javascript:${RUN}) ![i](${FOREIGN_ORIGIN}/i.png) <${FOREIGN_ORIGIN}> \`\`\`js\n# heading\n\n| a | b |\n|---|---|`,
  direction: '\u202Egpj.exe \u2067resolved\u2066 by ana\u200F \u202A\u202Bunclosed',
  invisible: 'a\u200Bd\u200Cm\u200Di\u2060n\uFEFF\u00AD\u{E0041}\u{E0042}\u180E\u3164\uFFFC',
  control:
    'null \u0000 bell \u0007 escape \u001B[31mred\u001B[0m delete \u007F next \u0085 lone \uD800 and \uDC00 \uFFFF',
  lookalike: 'WЕВ-1: ТуреЕrror ｆｕｌｌ１ 𝐦𝐚𝐭𝐡 ⓘ ⁄ ∕ ։ ᐅ',
  stacked: `Z${'\u0334\u0321\u035B\u0489'.repeat(200)}algo`,
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳👍🏽'.repeat(40),
  word: 'W'.repeat(2_000),
  'word without spaces': 'שלום'.repeat(250),
  lines: 'line\r\n'.repeat(300),
} as const;

export const HOSTILE_TEXTS: readonly string[] = Object.values(TEXTS);
