import { describe, expect, it } from 'vitest'
import { withStaticStyles } from '../../scripts/staticStyles'
import * as ui from './basics'

const imports = `import { Badge, Box, Button, Flex, css, styled } from '@/ui'; import { Link } from 'react-router'; `

async function built(code: string) {
  const result = await withStaticStyles(ui, imports + code, '/src/Page.tsx')
  return result?.code.split('\n').slice(2).join('\n')
}

describe('constant styles', () => {
  it.each([
    ['a box', '<Box p="4" id="x" />', '<div id="x" className={"p_4"} />;'],
    ['a pattern', '<Flex align="center" gap={2}>a</Flex>', '<div className={"d_flex ai_center gap_2"}>a</div>;'],
    ['another element', '<Box as="nav" hideBelow="md" />', '<nav className={"show_md"} />;'],
    ['styled', '<styled.span srOnly aria-hidden={x} />', '<span aria-hidden={x} className={"sr_true"} />;'],
    [
      'a recipe',
      '<Badge size="sm" ref={r} />',
      '<span ref={r} className={"badge badge--variant_subtle badge--size_sm"} />;',
    ],
    [
      'an attribute',
      '<Box htmlTranslate="no" className="a b" p="1" />',
      '<div className={"p_1 a b"} translate={"no"} />;',
    ],
    ['css', "css({ p: '4', sm: { p: '5' } })", '"p_4 sm:p_5";'],
  ])('of %s', async (_, code, want) => {
    expect(await built(code)).toBe(want)
  })

  it('of a component of the same file', async () => {
    expect(await built("const Row = styled('li', { base: { p: '1' } }); <Row m=\"2\" />")).toContain(
      '<li className={"p_1 m_2"} />',
    )
    expect(await built("const To = styled(Link, { base: { p: '1' } }); <To to={x} />")).toContain(
      '<Link to={x} className={"p_1"} />',
    )
  })
})

describe('elements stay as they are', () => {
  it.each([
    ['styles that are not constant', '<Box p={x} />;'],
    ['other properties', '<Box {...x} p="4" />;'],
    ['components with hooks', '<Button px="4">a</Button>;'],
  ])('with %s', async (_, code) => {
    expect(await built(code)).toBe(code)
  })
})
