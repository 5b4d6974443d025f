import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { Alert, Button, Code, Flex } from '@/ui'
import { AlertIcon } from '@/ui/icons'
import { CopyButton } from '@/ui/more/CopyButton'

interface Props {
  title: string
  /** What is lost when it is not stored. */
  warning: string
  secret: string
  copyLabel: string
  onClose: () => void
}

/** A secret that the server does not show again. It gets the focus, and stays until the player has stored it. */
export function ShownOnce({ title, warning, secret, copyLabel, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
  }, [])
  return (
    <Alert.Root status="warning" variant="subtle" role="region" aria-label={title} ref={box} tabIndex={-1}>
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content gap="3" minW="0">
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{warning}</Alert.Description>
        <Flex align="center" gap="2" minW="0">
          <Code px="2" py="1" whiteSpace="normal">
            {secret}
          </Code>
          <CopyButton label={copyLabel} text={secret} />
        </Flex>
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={onClose}>{t`I have saved it`}</Button>
      </Alert.Content>
    </Alert.Root>
  )
}
