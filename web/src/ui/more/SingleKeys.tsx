import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Flex } from '../basics'
import { areSingleKeysOn, switchSingleKeys } from '../keys'

/** A switch for the keys that act without Ctrl or Alt, in this browser. */
export function SingleKeys() {
  const [on, setOn] = useState(areSingleKeysOn)
  return (
    <Flex as="label" align="center" gap="2">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          switchSingleKeys(target.checked)
          setOn(target.checked)
        }}
      />
      <Trans>Single keys act in this browser</Trans>
    </Flex>
  )
}
