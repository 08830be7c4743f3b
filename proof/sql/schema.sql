-- The soak's own schema, so that it meets nobody else's tables. The name is put between the marks.
create schema /*name*/ soak /*name*/;
