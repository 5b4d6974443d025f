import { Box, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  label: string
  busy?: boolean
  children: ReactNode
}

// TableFrame is a table on a panel, which scrolls sideways where it is too wide.
export function TableFrame({ label, busy, children }: Props) {
  return (
    <Box borderWidth="1px" rounded="l3" bg="bg.panel" shadow="card" overflowX="auto">
      <Table.Root aria-label={label} aria-busy={busy} size={{ base: 'sm', md: 'md' }}>
        {children}
      </Table.Root>
    </Box>
  )
}
