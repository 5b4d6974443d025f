import { Flex, styled } from 'styled-system/jsx'
import { CopyButton } from './CopyButton'

const Lines = styled('pre', {
  base: { flex: '1', minW: '0', overflowX: 'auto', fontFamily: 'mono', textStyle: 'sm', whiteSpace: 'pre-wrap' },
})

interface Props {
  /** Names the lines, and what the button does. */
  label: string
  copyLabel: string
  children: string
}

/** Lines of a terminal, with a button that copies them. */
export function CopyLines({ label, copyLabel, children }: Props) {
  return (
    <Flex align="flex-start" gap="2" borderWidth="1px" rounded="l2" bg="bg.muted" p="3">
      <Lines tabIndex={0} role="region" aria-label={label}>
        {children}
      </Lines>
      <CopyButton label={copyLabel} text={children} />
    </Flex>
  )
}
