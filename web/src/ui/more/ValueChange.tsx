import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Code } from '../basics'
import { ArrowRightIcon } from '../icons'

/** A value before and after a change, '' for none. */
export const ValueChange = ({ before, after }: { before: string; after: string }) => (
  <>
    <Value text={before} />{' '}
    <Box as="span" display="inline-block" verticalAlign="middle" role="img" aria-label={t`changed to`}>
      <ArrowRightIcon size={3} />
    </Box>{' '}
    <Value text={after} />
  </>
)

const Value = ({ text }: { text: string }) => (text ? <Code size="xs">{text}</Code> : <Trans>nothing</Trans>)
