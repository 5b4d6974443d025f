import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseDrawing } from './parseDrawing'

const DRAWINGS = '../game/mapimage/testdata'
const svg = (content: string, attributes = 'viewBox="0 0 120 63"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`

describe('a drawing', () => {
  it.each(readdirSync(DRAWINGS).filter((name) => name.endsWith('.svg')))('of the server is accepted: %s', (name) => {
    const text = readFileSync(`${DRAWINGS}/${name}`, 'utf8')
    const drawing = parseDrawing(text)
    expect(drawing.svg.outerHTML.length).toBeGreaterThan(text.length / 2)
    expect(drawing.svg.ownerDocument).toBe(document)
    expect(drawing.frame.width).toBeGreaterThan(0)
  })

  it('has the part of the map that it shows', () => {
    expect(parseDrawing(svg('', 'viewBox="-10 -5.5 120 63"')).frame).toEqual({
      x: -10,
      y: -5.5,
      width: 120,
      height: 63,
    })
  })

  it.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a link', svg('<a href="https://example.com"><path d="M0 0"/></a>')],
    ['a picture from another address', svg('<image href="https://example.com/a.png"/>')],
    ['an animation', svg('<path d="M0 0"><set attributeName="d" to="M1 1"/></path>')],
    ['HTML', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
    ['a style', svg('<style>*{display:none}</style>')],
    ['an event handler', svg('<path d="M0 0" onclick="alert(1)"/>')],
    ['an event handler of its root', svg('', 'viewBox="0 0 1 1" onload="alert(1)"')],
    ['a fill from another address', svg('<path d="M0 0" fill="url(https://example.com/#a)"/>')],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
    ['no view box', svg('', '')],
    ['an empty view box', svg('', 'viewBox="0 0 0 0"')],
    ['no markup', 'drawing'],
    ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path'],
  ])('with %s is refused', (_, text) => {
    expect(() => parseDrawing(text)).toThrow(/^A drawing has/)
  })
})
