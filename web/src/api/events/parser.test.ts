import { describe, expect, it } from 'vitest'
import { EventParser } from './parser'

const parse = (...parts: string[]) => {
  const parser = new EventParser()
  return parts.flatMap((part) => parser.push(part))
}

const record = { type: 'record', data: '{"mapId":"a"}', id: '7' }

describe('the parser of an event stream', () => {
  it.each([
    ['with line feeds', ['id: 7\nevent: record\ndata: {"mapId":"a"}\n\n'], [record]],
    ['with carriage returns', ['id: 7\revent: record\rdata: {"mapId":"a"}\r\r'], [record]],
    ['with both', ['id: 7\r\nevent: record\r\ndata: {"mapId":"a"}\r\n\r\n'], [record]],
    ['without the space', ['id:7\nevent:record\ndata:{"mapId":"a"}\n\n'], [record]],
    ['with a comment', [': keep-alive\n\nid: 7\nevent: record\n: and\ndata: {"mapId":"a"}\n\n'], [record]],
    ['with unknown fields', ['id: 7\nevent: record\nother: x\ndata: {"mapId":"a"}\nplain\n\n'], [record]],
    ['that is split in a line', ['id: 7\nev', 'ent: record\nda', 'ta: {"map', '', 'Id":"a"}\n', '\n'], [record]],
    [
      'that is split in a line end',
      ['id: 7\r', '\nevent: record\r', '\ndata: {"mapId":"a"}\r', '\n\r', '\n'],
      [record],
    ],
    [
      'with data of several lines',
      ['data: one\ndata:\ndata:  two\n\n'],
      [{ type: 'message', data: 'one\n\n two', id: '' }],
    ],
    ['without data', ['event: record\nid: 7\n\ndata: x\n\n'], [{ type: 'message', data: 'x', id: '7' }]],
    ['with empty data', ['data\n\n'], [{ type: 'message', data: '', id: '' }]],
    ['with a colon in its data', ['data: a: b\n\n'], [{ type: 'message', data: 'a: b', id: '' }]],
    ['that is not complete', ['data: x\n'], []],
  ])('reads an event %s', (_, parts, events) => {
    expect(parse(...parts)).toEqual(events)
  })

  it('keeps the last id, and ignores one with a null character', () => {
    expect(parse('id: 7\ndata: a\n\ndata: b\n\nid: 8\0\ndata: c\n\nid\ndata: d\n\n').map(({ id }) => id)).toEqual([
      ...['7', '7', '7'],
      '',
    ])
  })

  it.each([
    ['retry: 2500\n', 2500],
    ['retry: soon\n', undefined],
    ['data: x\n\n', undefined],
  ])('reads the pause of %j', (text, pause) => {
    const parser = new EventParser()
    parser.push(text)
    expect(parser.retryMs).toBe(pause)
  })
})
