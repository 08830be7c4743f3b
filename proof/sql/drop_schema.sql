-- Everything that the soak has made. The name is put between the marks.
drop schema /*name*/ soak /*name*/ cascade;
