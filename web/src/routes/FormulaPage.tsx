import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersHeading } from '@/entities/player/more/PlayersTabs'
import { FormulaView } from '@/features/rankings/FormulaView'
import { Stack } from '@/ui'
import { usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function FormulaPage() {
  usePageTitle(t`How points work`)
  return (
    <Stack gap="6">
      <PlayersHeading path={paths.formula}>
        <Trans>How points work</Trans>
      </PlayersHeading>
      <FormulaView />
    </Stack>
  )
}
