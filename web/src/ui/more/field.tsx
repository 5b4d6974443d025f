import { FieldErrorText, FieldHelperText, FieldInput, FieldLabel, FieldRoot, FieldTextarea } from '@ark-ui/react/field'
import { createStyleContext, styled } from 'styled-system/jsx'
import { field, textarea } from 'styled-system/recipes'
import { fieldControl } from '../fieldControl'

const { withProvider, withContext } = createStyleContext(field)

/** A control with its label, its help and its error, which belong together for screen readers. */
export const Field = {
  Root: withProvider(FieldRoot, 'root'),
  /** An input without styles, for a control that looks different. */
  Input: fieldControl(FieldInput),
  Label: withContext(FieldLabel, 'label'),
  HelperText: withContext(FieldHelperText, 'helperText'),
  ErrorText: withContext(FieldErrorText, 'errorText'),
}

export const Textarea = styled(fieldControl(FieldTextarea), textarea)
