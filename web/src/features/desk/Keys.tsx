import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Code, Dialog, Flex, loadDialog, Stack } from '@/ui'
import { useKeys } from '@/ui/keys'
import { onDemand } from '@/ui/onDemand'
import { SingleKeys } from '@/ui/SingleKeys'

/** The keys of the desk, in the order of the list. */
const KEYS: readonly [key: string, text: MessageDescriptor][] = [
  ['n', msg`Open the next case`],
  ['c', msg`Claim the case, or give it back`],
  ['d', msg`Go to the decision`],
  ['u', msg`Back to the cases`],
  ['?', msg`Show this list`],
]

const KeyList = onDemand(async () => {
  await loadDialog()
  return { default: KeyDialog }
})

/** A button that lists the keys of the desk, which ? does as well. */
export function Keys() {
  const { opened, close, buttonProps } = KeyList.useOpened()
  const { loading, ...handlers } = buttonProps
  useKeys({ '?': handlers.onClick })
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        mdDown={{ display: 'none' }}
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        {...handlers}
        aria-expanded={opened}
      >
        <Trans>Keys</Trans> <Code size="xs">?</Code>
      </Button>
      {opened && <KeyList.Component onClose={close} />}
    </>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open placement="center" size="xs" onOpenChange={({ open }) => !open && onClose()}>
      <Dialog.Content mx="4">
        <Dialog.Header>
          <Dialog.Title>
            <Trans>Keys of the desk</Trans>
          </Dialog.Title>
        </Dialog.Header>
        <Dialog.Body pb="6" spaceY="4">
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
        </Dialog.Body>
        <Dialog.CloseTrigger />
      </Dialog.Content>
    </Dialog.Root>
  )
}
