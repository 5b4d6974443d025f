import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { Code, Flex, Stack } from '@/ui'
import { useKeys } from '@/ui/keys'
import { dialogButton } from '@/ui/more/dialogButton'
import { FormDialog } from '@/ui/more/FormDialog'
import { SingleKeys } from '@/ui/more/SingleKeys'

/** The keys of the desk, in the order of the list. */
const KEYS: readonly [key: string, text: MessageDescriptor][] = [
  ['j', msg`Go to the next row`],
  ['k', msg`Go to the row before`],
  ['n', msg`Open the next case`],
  ['c', msg`Claim the case, or give it back`],
  ['d', msg`Go to the decision`],
  ['u', msg`Back to the cases`],
  ['?', msg`Show this list`],
]

const KeysButton = dialogButton(async () => ({ default: KeyDialog }))

/** A button that lists the keys of the desk, which ? does as well. */
export function Keys() {
  const button = useRef<HTMLButtonElement>(null)
  useKeys({ '?': () => button.current?.click() })
  return (
    <KeysButton ref={button} size="sm" variant="outline" mdDown={{ display: 'none' }} dialog={{}}>
      <Trans>Keys</Trans> <Code size="xs">?</Code>
    </KeysButton>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog title={<Trans>Keys of the desk</Trans>} onClose={onClose}>
      <Stack gap="4">
        <Stack as="ul" gap="2" aria-label={t`Keys`}>
          {KEYS.map(([key, text]) => (
            <Flex as="li" key={key} gap="3">
              <Code minW="6" justifyContent="center">
                {key}
              </Code>
              <span>{i18n._(text)}</span>
            </Flex>
          ))}
        </Stack>
        <SingleKeys />
      </Stack>
    </FormDialog>
  )
}
