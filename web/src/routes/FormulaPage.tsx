import { t } from '@lingui/core/macro'
import { PlayersHeading } from '@/entities/player/more/PlayersTabs'
import { FormulaView } from '@/features/rankings/FormulaView'
import { Stack } from '@/ui'
import { usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function FormulaPage() {
  usePageTitle(t`How points work`)
  return (
    <Stack gap="6">
      <PlayersHeading path={paths.formula}>{t`How points work`}</PlayersHeading>
      <FormulaView />
    </Stack>
  )
}
