// The page for the screenshot: a comment in GitHub's frame, with GitHub's own style sheet for Markdown.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import MarkdownIt from 'markdown-it'

const { resolve } = createRequire(import.meta.url)
const markdown = new MarkdownIt({ html: true, linkify: true })

const COLOURS = {
  light: { text: '#1f2328', quiet: '#59636e', page: '#ffffff', band: '#f6f8fa', line: '#d1d9e0' },
  dark: { text: '#f0f6fc', quiet: '#9198a1', page: '#0d1117', band: '#151b23', line: '#3d444d' },
}

/** @param comment Markdown @param scheme light or dark @returns HTML */
export function commentPage(comment, scheme) {
  const head = '<div class="head"><b>github-actions</b> <span class="bot">bot</span> commented</div>'
  return page(`<div class="box">${head}<div class="markdown-body">${markdown.render(comment)}</div></div>`, scheme)
}

function page(body, scheme) {
  const { text, quiet, page, band, line } = COLOURS[scheme]
  const css = readFileSync(resolve(`github-markdown-css/github-markdown-${scheme}.css`), 'utf8')
  const own = `
    body { margin: 0; padding: 16px; background: ${page}; }
    .box { border: 1px solid ${line}; border-radius: 6px; overflow: hidden; }
    .head { padding: 8px 16px; font: 14px/1.5 "Noto Sans", Helvetica, Arial, sans-serif; color: ${quiet}; background: ${band}; }
    .head { border-bottom: 1px solid ${line}; } .head b { color: ${text}; }
    .bot { border: 1px solid ${line}; border-radius: 2em; padding: 0 7px; font-size: 12px; }
    .box .markdown-body { padding: 16px; }`
  return `<!doctype html><meta charset="utf-8"><style>${css}${own}</style>${body}`
}
