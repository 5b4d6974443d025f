import { Collapsible } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Box, Button, List } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'

interface Props {
  title: string
  open?: boolean
  children: ReactNode
}

/** A text that opens and closes under its title. */
export function Explanation({ title, open, children }: Props) {
  return (
    <Collapsible.Root defaultOpen={open} borderWidth="1px" rounded="l3" bg="bg.panel" overflow="hidden">
      <Collapsible.Trigger asChild>
        <Button variant="ghost" color="fg" w="full" justifyContent="space-between" rounded="0" fontWeight="semibold">
          {title}
          <Collapsible.Indicator _open={{ transform: 'rotate(180deg)' }} transition="transform 0.15s">
            <ChevronDownIcon />
          </Collapsible.Indicator>
        </Button>
      </Collapsible.Trigger>
      <Collapsible.Content>
        <Box px="4" pb="4" pt="3" color="fg.muted">
          {children}
        </Box>
      </Collapsible.Content>
    </Collapsible.Root>
  )
}

/** A list of sentences, numbered where they are steps. */
export function Sentences({ of, steps }: { of: readonly string[]; steps?: boolean }) {
  return (
    <List.Root as={steps ? 'ol' : 'ul'} ps="5" gap="1">
      {of.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List.Root>
  )
}
